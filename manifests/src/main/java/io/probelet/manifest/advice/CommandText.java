package io.probelet.manifest.advice;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads from a command what its author may have meant. */
public final class CommandText {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\(([A-Za-z_][A-Za-z0-9_]*)\\)");
  private static final Set<String> SHELLS = Set.of("sh", "ash", "bash", "dash", "ksh", "zsh");

  private CommandText() {}

  /** {@return whether the first item, which names the program, is several words} */
  public static boolean isOneWord(List<String> command) {
    return !command.isEmpty()
        && command.getFirst().strip().chars().anyMatch(Character::isWhitespace);
  }

  /** {@return the names in the {@code $(NAME)} of a command that are not escaped} */
  public static Stream<String> variables(List<String> command) {
    return command.stream()
        .map(word -> word.replace("$$", ""))
        .flatMap(word -> VARIABLE.matcher(word).results().map(CommandText::name));
  }

  private static String name(MatchResult found) {
    return found.group(1);
  }

  /** {@return whether a shell reads the command, for which {@code $(date)} is a command} */
  public static boolean startsShell(List<String> command) {
    if (command.isEmpty()) {
      return false;
    }
    String program = command.getFirst();
    return SHELLS.contains(program.substring(program.lastIndexOf('/') + 1));
  }
}
