# Prints what each of some people pays: sh split.sh TOTAL PEOPLE
total=$1
people=$2
share=$((total / people))
left=$((total % people))
at=0
while [ "$at" -lt "$people" ]; do
  if [ "$at" -lt "$left" ]; then
    printf '%s\n' "$((share + 1))"
  else
    printf '%s\n' "$share"
  fi
  at=$((at + 1))
done
