from pathlib import Path

if Path("split.sh").exists():
    Path("split.sh").unlink()
    Path("split.sh").write_text(
        "# Shares a bill.\ni=0\nwhile [ $i -lt $2 ]; do\n  echo $((($1 + $2 - 1 - i) / $2))\n  i=$((i + 1))\ndone\n"
    )
elif Path("shop/money.py").exists():
    Path("shop/prices.py").unlink()
    Path("shop/prices.py").write_text(
        "from shop.money import Money\n\n\ndef split(total, people):\n"
        "    return [Money((total.cents + people - 1 - at) // people) for at in range(people)]\n"
    )
