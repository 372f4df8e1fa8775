package io.probelet.cli.agent;

import static java.util.stream.Collectors.joining;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Separates the words of a command line that node-problem-detector ignores. Gardener's
 * command line contains {@code ..}, which would be a folder of manifests here.
 *
 * @param ignored the words without effect
 */
public record StrayWords(List<Path> paths, List<Path> ignored) {
  private static final Set<String> DOTS = Set.of("", ".", "..");

  /** Keeps unmodifiable copies of the lists. */
  public StrayWords {
    paths = List.copyOf(paths);
    ignored = List.copyOf(ignored);
  }

  /**
   * Separates words.
   *
   * @param words from the command line
   * @param detector whether the command line has flags of node-problem-detector; without them all
   *     words are paths
   * @return the paths and the ignored words
   */
  public static StrayWords of(List<Path> words, boolean detector) {
    List<Path> paths = new ArrayList<>();
    List<Path> ignored = new ArrayList<>();
    for (Path word : words) {
      (detector && isStray(word) ? ignored : paths).add(word);
    }
    return new StrayWords(paths, ignored);
  }

  private static boolean isStray(Path word) {
    return Files.notExists(word)
        || StreamSupport.stream(word.spliterator(), false)
            .allMatch(part -> DOTS.contains(part.toString()));
  }

  /** {@return warnings for the user} */
  public List<String> warnings() {
    return ignored.isEmpty()
        ? List.of()
        : List.of(
            ignored.stream().map(word -> "\"" + word + "\"").collect(joining(", "))
                + ": ignored, as node-problem-detector does");
  }
}
