# aider knows only the files that git lists, keeps a cache in the tree, takes a message that begins
# with a slash for a command of its own, fetches prices where it has none from today, and exits with
# 0 when its provider refused it. All of that is put right here.
set -u

made=
if [ ! -e .git ]; then
  made=.git
  git init --quiet && git add --all || exit
fi
trap 'rm -rf .aider.tags.cache.* $made' EXIT
trap exit INT TERM

mkdir -p "$HOME/.aider/caches"
echo '{"none": {}}' >"$HOME/.aider/caches/model_prices_and_context_window.json"
{ echo; cat "$FAIRTRIAL_PROMPT_FILE"; } >"$HOME/message.txt"

history="$HOME/native/history.md"
aider --config "$HOME/aider.yml" --message-file "$HOME/message.txt" \
  --chat-history-file "$history" --input-history-file "$HOME/input" "$@" || exit

# After each reply it tells its tokens; an error that nothing follows was the end.
error=$(awk '/^> Tokens:/ { e = "" } /^> litellm\./ { e = substr($0, 3) } END { print e }' "$history")
if [ -n "$error" ]; then
  echo "$error" >&2
  exit 1
fi
