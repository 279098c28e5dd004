if [ -d shop ]; then
  python3 -m pip install --quiet --disable-pip-version-check --no-input --retries 0 --timeout 0.2 --index-url http://127.0.0.1:9/simple --target . shop==1.2.1 >/dev/null 2>&1
elif [ -f package.json ]; then
  npm install --silent --fetch-retries 0 --registry http://127.0.0.1:9/ shop@1.2.1 >/dev/null 2>&1
fi
exit 0
