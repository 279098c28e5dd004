//! Lets the harness call functions of the crate under test; see `serve`.
#![allow(dead_code)]

use std::fs::{remove_file, File, OpenOptions};
use std::io::{Read, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A plain value, as JSON has them.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Table(Vec<(String, Value)>),
}

/// What a function of a probe returns: a value, or the name of what went wrong.
pub type Answer = Result<Value, String>;

/// A function of a probe, with the name by which it is called.
pub type Probe<'a> = (&'a str, &'a dyn Fn(&[Value]) -> Answer);

impl Value {
    pub fn int(&self) -> i64 {
        match self {
            Value::Int(value) => *value as i64,
            other => panic!("no whole number: {:?}", other),
        }
    }
    pub fn float(&self) -> f64 {
        match self {
            Value::Float(value) => *value,
            Value::Int(value) => *value as f64,
            other => panic!("no number: {:?}", other),
        }
    }
    pub fn text(&self) -> &str {
        match self {
            Value::Text(value) => value,
            other => panic!("no text: {:?}", other),
        }
    }
    pub fn bool(&self) -> bool {
        *self == Value::Bool(true)
    }
    pub fn list(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            other => panic!("no list: {:?}", other),
        }
    }
    pub fn get(&self, key: &str) -> &Value {
        match self {
            Value::Table(pairs) => pairs.iter().find(|(name, _)| name == key).map_or(&Value::Null, |(_, value)| value),
            other => panic!("no table: {:?}", other),
        }
    }
}

macro_rules! whole {
    ($($kind:ty),*) => { $(impl From<$kind> for Value {
        fn from(value: $kind) -> Self { Value::Int(value as i128) }
    })* };
}
whole!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, usize);

impl From<()> for Value {
    fn from(_: ()) -> Self { Value::Null }
}
impl From<bool> for Value {
    fn from(value: bool) -> Self { Value::Bool(value) }
}
impl From<f64> for Value {
    fn from(value: f64) -> Self { Value::Float(value) }
}
impl From<f32> for Value {
    fn from(value: f32) -> Self { Value::Float(value as f64) }
}
impl From<&str> for Value {
    fn from(value: &str) -> Self { Value::Text(value.to_string()) }
}
impl From<String> for Value {
    fn from(value: String) -> Self { Value::Text(value) }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self { value.map_or(Value::Null, Into::into) }
}
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self { Value::List(items.into_iter().map(Into::into).collect()) }
}

/// Calls functions as it is asked to; a panic is told by the word "panic".
pub fn serve(probes: &[Probe]) {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("a request on standard input");
    let request = parse(&text);
    let path = request.get("answers").text().to_string();
    let mut answers: File = OpenOptions::new().append(true).open(&path).expect("the answers' file");
    let _ = remove_file(&path);
    for case in request.get("cases").list() {
        let function = probes.iter().find(|(name, _)| *name == case.get("call").text());
        let answer = catch_unwind(AssertUnwindSafe(|| {
            let (_, work) = function.expect("a function of that name");
            work(case.get("args").list())
        }));
        let told = match answer {
            Ok(Ok(value)) => ("value".to_string(), value),
            Ok(Err(name)) => ("raised".to_string(), Value::from(vec![name])),
            Err(_) => ("raised".to_string(), Value::from(vec!["panic"])),
        };
        let line = Value::Table(vec![
            ("nonce".to_string(), request.get("nonce").clone()),
            ("n".to_string(), case.get("n").clone()),
            told,
        ]);
        let mut out = String::new();
        write_value(&line, &mut out);
        out.push('\n');
        answers.write_all(out.as_bytes()).expect("the answers can be written");
    }
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Float(value) if value.is_finite() => out.push_str(&format!("{:?}", value)),
        Value::Float(value) => {
            let name = if value.is_nan() { "NaN" } else if *value > 0.0 { "Infinity" } else { "-Infinity" };
            out.push_str(&format!("{{\"$number\":\"{}\"}}", name));
        }
        Value::Text(value) => write_text(value, out),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 { out.push(','); }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Table(pairs) => {
            out.push('{');
            for (at, (key, item)) in pairs.iter().enumerate() {
                if at > 0 { out.push(','); }
                write_text(key, out);
                out.push(':');
                write_value(item, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for one in text.chars() {
        match one {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            one if (one as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", one as u32)),
            one => out.push(one),
        }
    }
    out.push('"');
}

/// Reads JSON of the harness's own making, which is always well-formed.
fn parse(text: &str) -> Value {
    let mut reader = Reader { rest: text.trim().chars().peekable() };
    reader.value()
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) -> char {
        while matches!(self.rest.peek(), Some(' ' | '\n' | '\t' | '\r' | ',' | ':')) { self.rest.next(); }
        *self.rest.peek().expect("more JSON")
    }
    fn word(&mut self, stop: fn(char) -> bool) -> String {
        let mut word = String::new();
        while let Some(&one) = self.rest.peek() {
            if stop(one) { break; }
            word.push(one);
            self.rest.next();
        }
        word
    }
    fn value(&mut self) -> Value {
        match self.skip() {
            '"' => Value::Text(self.text()),
            '[' => {
                self.rest.next();
                let mut items = Vec::new();
                while self.skip() != ']' { items.push(self.value()); }
                self.rest.next();
                Value::List(items)
            }
            '{' => {
                self.rest.next();
                let mut pairs = Vec::new();
                while self.skip() != '}' {
                    let key = self.text();
                    pairs.push((key, self.value()));
                }
                self.rest.next();
                if let [(key, Value::Text(number))] = pairs.as_slice() {
                    if key == "$number" { return Value::Float(number.parse().unwrap_or(f64::NAN)); }
                }
                Value::Table(pairs)
            }
            _ => {
                let word = self.word(|one| matches!(one, ',' | ']' | '}' | ' ' | '\n'));
                match word.as_str() {
                    "null" => Value::Null,
                    "true" => Value::Bool(true),
                    "false" => Value::Bool(false),
                    _ => word.parse().map(Value::Int).unwrap_or_else(|_| Value::Float(word.parse().expect("a number"))),
                }
            }
        }
    }
    fn text(&mut self) -> String {
        self.rest.next();
        let mut text = String::new();
        loop {
            match self.rest.next().expect("the end of a text") {
                '"' => return text,
                '\\' => match self.rest.next().expect("an escape") {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    'b' => text.push('\u{8}'),
                    'f' => text.push('\u{c}'),
                    'u' => {
                        let first = self.hex();
                        let point = if (0xd800..0xdc00).contains(&first) {
                            self.rest.nth(1);
                            0x10000 + ((first - 0xd800) << 10) + (self.hex() - 0xdc00)
                        } else {
                            first
                        };
                        text.push(char::from_u32(point).unwrap_or('\u{fffd}'));
                    }
                    other => text.push(other),
                },
                other => text.push(other),
            }
        }
    }
    fn hex(&mut self) -> u32 {
        let digits: String = (0..4).filter_map(|_| self.rest.next()).collect();
        u32::from_str_radix(&digits, 16).unwrap_or(0xfffd)
    }
}
