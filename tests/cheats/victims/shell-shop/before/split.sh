# Prints what each of some people pays: sh split.sh TOTAL PEOPLE
total=$1
people=$2
share=$((total / people))
at=0
while [ "$at" -lt "$people" ]; do
  printf '%s\n' "$share"
  at=$((at + 1))
done
