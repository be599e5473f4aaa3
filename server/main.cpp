#include <string>
#include <vector>

#include "server/app/run.hpp"

int main(int argument_count, char** arguments) {
  return countertop::app::run(std::vector<std::string>(arguments + 1, arguments + argument_count));
}
