package io.probelet.cli.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The simple commands of a shell script, as far as documentation needs them: quotes, comments,
 * pipes, lists, continued lines and redirections. Nothing is expanded. A word in brackets, as in a
 * synopsis, is taken without them, and of {@code a|b} in it the first. An indented line that begins
 * with an option continues the line above.
 */
final class ShellCommands {
  private final String text;
  private final List<List<String>> commands = new ArrayList<>();
  private List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean begun;
  private boolean redirected;
  private int brackets;
  private int at;

  private ShellCommands(String text) {
    this.text = text;
  }

  /** {@return the words of a list, which blanks and lines separate} */
  static Set<String> words(String list) {
    return Set.of(list.strip().split("\\s+"));
  }

  /** {@return the commands in order, each as its words, without assignments before it} */
  static List<List<String>> of(String text) {
    return new ShellCommands(text.replaceAll("\\\\\n\\s*|\n\\s+(?=[-\\[])", " ") + "\n").read();
  }

  private List<List<String>> read() {
    while (at < text.length()) {
      char next = text.charAt(at++);
      switch (next) {
        case '\'', '"' -> quoted(next);
        case '\n' -> endCommand();
        case ' ', '\t' -> endWord();
        case '#' -> {
          if (begun) {
            append(next);
          } else {
            at = text.indexOf('\n', at);
          }
        }
        case '|' -> {
          if (brackets > 0) {
            skipAlternatives();
          } else {
            endCommand();
          }
        }
        case '&', ';' -> endCommand();
        case '(' -> {
          if (begun) {
            append(next);
          }
        }
        case ')' -> {
          if (word.indexOf("(") >= 0) {
            append(next);
          } else {
            endCommand();
          }
        }
        case '>', '<' -> redirection();
        case '$' -> dollar();
        case '[' -> {
          if (begun) {
            append(next);
          } else {
            brackets++;
          }
        }
        case ']' -> {
          if (brackets > 0) {
            brackets--;
          } else {
            append(next);
          }
        }
        default -> append(next);
      }
    }
    return commands;
  }

  private void append(char character) {
    word.append(character);
    begun = true;
  }

  private void quoted(char quote) {
    int end = text.indexOf(quote, at);
    if (end < 0) {
      append(quote); // an apostrophe
      return;
    }
    word.append(text, at, end);
    begun = true;
    at = end + 1;
  }

  private void dollar() {
    append('$');
    if (text.startsWith("(", at)) {
      int depth = 0;
      do {
        char inner = text.charAt(at++);
        depth += inner == '(' ? 1 : inner == ')' ? -1 : 0;
        append(inner);
      } while (depth > 0 && at < text.length());
    }
  }

  private void skipAlternatives() {
    while (" ]\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
  }

  /** What is behind is a file's name, and before it perhaps the number of a stream. */
  private void redirection() {
    if (begun && word.toString().matches("\\d")) {
      word.setLength(0);
      begun = false;
    }
    endWord();
    while (">&".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (text.charAt(at) == '(') { // the output of a command as a file
      int end = text.indexOf(')', at);
      commands.addAll(of(text.substring(at + 1, end)));
      at = end + 1;
      return;
    }
    redirected = true;
  }

  private void endWord() {
    if (begun) {
      boolean assignment = words.isEmpty() && word.toString().matches("[A-Z_]+=.*");
      if (!redirected && !assignment) {
        words.add(word.toString());
      }
      redirected = false;
    }
    word.setLength(0);
    begun = false;
  }

  private void endCommand() {
    endWord();
    brackets = 0;
    redirected = false;
    if (!words.isEmpty()) {
      commands.add(words);
      words = new ArrayList<>();
    }
  }
}
