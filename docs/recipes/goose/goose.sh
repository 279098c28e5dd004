# goose exits with 0 also when its provider failed it for good: it then says so in a message that is
# no model's, and is done. Here that is an error.
set -u

log="$HOME/goose.jsonl"
goose run --no-session --output-format stream-json --instructions "$FAIRTRIAL_PROMPT_FILE" "$@" | tee "$log"

end=$(tail -n 2 "$log")
case $end in
*'"inference":'*'{"type":"complete"'*) exit 0 ;;
*'Ran into this error: '*) ;;
*'{"type":"complete"'*) exit 0 ;;
esac
echo "$end" | sed -n 's/.*"\(Ran into this error: [^"\\]*\).*/\1/p' | tail -n 1 >&2
exit 1
