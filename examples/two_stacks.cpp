// A FIFO window by Two-Stacks, in C++17.  Build: g++ -O2 -std=c++17 -o two_stacks two_stacks.cpp; with -DBUG it does not
// restart the front's products, so answers contain elements that have left.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>
using std::string;

template <class M> struct TwoStacks {  // a stack holds values and running products, the oldest on top of the front
  using A = typename M::A;
  std::vector<std::pair<A, A>> front, back;
  static A top(const std::vector<std::pair<A, A>> &stack) { return stack.empty() ? M::identity() : stack.back().second; }
  void insert(A v) { back.push_back({v, M::combine(top(back), v)}); }
  void evict() {
    if (front.empty()) {
#ifdef BUG
      A product = top(back);
#else
      A product = M::identity();
#endif
      for (; !back.empty(); back.pop_back()) {
        product = M::combine(back.back().first, product);
        front.push_back({back.back().first, product});
      }
    }
    front.pop_back();
  }
  A query() { return M::combine(top(front), top(back)); }
};

struct Sum {
  using A = long long;
  static A identity() { return 0; }
  static A combine(A a, A b) { return a + b; }
  static A read(const string &text) { return std::stoll(text); }
  static string write(A a) { return std::to_string(a); }
};
struct Max {
  using A = std::optional<long long>;
  static A identity() { return {}; }
  static A combine(A a, A b) { return !a ? b : !b ? a : std::max(*a, *b); }
  static A read(const string &text) { return std::stoll(text); }
  static string write(A a) { return a ? std::to_string(*a) : "none"; }
};
struct Concatenation {
  using A = string;
  static A identity() { return ""; }
  static A combine(const A &a, const A &b) { return a + b; }
  static A read(const string &text) { return text; }
  static string write(const A &a) { return a; }
};

struct Window {  // any monoid behind one interface
  virtual void insert(const string &) = 0;
  virtual void evict() = 0;
  virtual string query() = 0;
  virtual ~Window() = default;
};
template <class M> struct Over : Window {
  TwoStacks<M> window;
  void insert(const string &text) override { window.insert(M::read(text)); }
  void evict() override { window.evict(); }
  string query() override { return M::write(window.query()); }
};

int main() {
  std::ios::sync_with_stdio(false);
  std::unique_ptr<Window> window;
  for (string line; std::getline(std::cin, line);) {
    auto space = line.find(' ');
    string word = line.substr(0, space), rest = space == string::npos ? "" : line.substr(space + 1);
    if (word == "insert") window->insert(rest);
    else if (word == "evict") window->evict();
    else if (word == "query") std::cout << window->query() << '\n';
    else if (word == "flush") std::cout.flush();
    else if (word == "swagproof") std::cout << "swagproof 1 window=fifo monoids=sum,max,concatenation\n";
    else if (rest == "sum") window = std::make_unique<Over<Sum>>();
    else if (rest == "max") window = std::make_unique<Over<Max>>();
    else window = std::make_unique<Over<Concatenation>>();
  }
}
