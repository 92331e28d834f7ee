# Writes OUT with each FILE of PAIRS, "FILE|NAME|...", as a literal NAME. CMake
# would split text at semicolons and brackets in lists, so it stays one string.
string(REPLACE "|" ";" pairs "${PAIRS}")
set(result "")
while(pairs)
  list(POP_FRONT pairs file name)
  file(READ "${file}" text)
  string(APPEND result
    "static constexpr llvm::StringLiteral ${name} = R\"lane(${text})lane\";\n")
endwhile()
file(WRITE "${OUT}" "${result}")
