# Runs the tests of split.sh; exits with 1 where one fails.
failed=0

check() {
  name=$1
  expected=$2
  shift 2
  if sh split.sh "$@" | tr '\n' ' ' | grep -qx "$expected "; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    failed=1
  fi
}

check 'an even bill is shared evenly' '50 50' 100 2
check 'the cents left over go to the first' '34 33 33' 100 3
check 'a large bill' '251 250 250 250' 1001 4
exit "$failed"
