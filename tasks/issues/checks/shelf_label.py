from bakehouse.recipes import greeting, label

assert label("rye") == "* RYE *", label("rye")
assert label("plum cake") == "* PLUM CAKE *", label("plum cake")
assert greeting("rye") == "Fresh today: rye"
