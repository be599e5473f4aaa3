# countertop_parse_arguments(<options> <one-value words> <many-value words> <argument>...)
# In a function whose first parameter is `name`: what follows it becomes arg_WORD; anything else is an error that
# names the function and the target.
macro(countertop_parse_arguments options one_value many_values)
  cmake_parse_arguments(arg "${options}" "${one_value}" "${many_values}" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION}(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
endmacro()
