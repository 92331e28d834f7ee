# Writes OUT: each FILE of PAIRS, "FILE|NAME|...", as a literal NAME. Semicolons
# and brackets would be lists to CMake, so the text is only ever a string.
string(REPLACE "|" ";" pairs "${PAIRS}")
set(result "")
while(pairs)
  list(POP_FRONT pairs file name)
  file(READ "${file}" text)
  string(APPEND result
    "static constexpr llvm::StringLiteral ${name} = R\"lane(${text})lane\";\n")
endwhile()
file(WRITE "${OUT}" "${result}")
