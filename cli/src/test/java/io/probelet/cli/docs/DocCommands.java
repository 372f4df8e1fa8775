package io.probelet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;

/** Commands in the documentation. */
final class DocCommands {
  private static final Pattern IN_REPOSITORY =
      Pattern.compile("(\\./)?(deploy|examples|docs|scripts|benchmarks|kustomize)/[^…*A-Z\"]*");

  /** Programs that are not ours; what they do is not tried. */
  private static final Set<String> FOREIGN =
      ShellCommands.words(
          """
          apt apt-get cat chmod cp ctr curl docker dpkg echo export git grep gunzip head install
          java journalctl jq kind kustomize ls man minikube mkdir mkfs.ext4 mmdebstrap mount mvn
          nc openssl podman promtool python3 rm sed sha256sum skopeo sleep sort source ssh sudo
          systemctl tar tee touch truncate watch wget xargs
          """);

  private final ProbeletCalls probelet;
  private final ClusterCalls cluster = new ClusterCalls();
  private final Consumer<Tried> tried;
  private final Consumer<String> problem;
  private final Consumer<String> foreign;

  /**
   * Takes commands.
   *
   * @param tried told of each command
   * @param problem told what is wrong with one, and where
   * @param foreign told which other program one calls
   */
  DocCommands(
      Path scratch, Consumer<Tried> tried, Consumer<String> problem, Consumer<String> foreign)
      throws IOException {
    probelet = new ProbeletCalls(scratch);
    this.tried = tried;
    this.problem = problem;
    this.foreign = foreign;
  }

  static boolean isCommand(String text) {
    List<List<String>> commands = ShellCommands.of(text);
    if (commands.isEmpty()) {
      return false;
    }
    String first = commands.getFirst().getFirst();
    return isProbelet(first)
        || Set.of("kubectl", "helm", "cd").contains(first)
        || FOREIGN.contains(first)
        || isOwnScript(first);
  }

  private static boolean isProbelet(String program) {
    return program.equals("probelet")
        || program.equals("./probelet")
        || program.endsWith("/bin/probelet");
  }

  private static boolean isOwnScript(String program) {
    return program.equals("./verify") || program.matches("(scripts|benchmarks|examples)/.*");
  }

  /** Tries all commands of a script. */
  void script(String place, String text) throws IOException {
    for (List<String> words : ShellCommands.of(text)) {
      command(place, words, "");
    }
  }

  /** Lines that begin with a dollar are commands, the others what the last one prints. */
  void console(String place, List<String> lines) throws IOException {
    StringBuilder output = new StringBuilder();
    String command = "";
    List<String> all = new ArrayList<>(lines);
    all.add("$ ");
    for (String line : all) {
      if (!line.startsWith("$ ")) {
        output.append(line).append('\n');
        continue;
      }
      for (List<String> words : ShellCommands.of(command)) {
        command(place, words, output.toString());
      }
      command = line.substring(2);
      output.setLength(0);
    }
  }

  private void command(String place, List<String> words, String output) throws IOException {
    String at = place + ": " + String.join(" ", words) + ": ";
    for (String word : words) {
      for (String part : word.split("[=@]", -1)) {
        if (IN_REPOSITORY.matcher(part).matches() && !Files.exists(DocBlock.ROOT.resolve(part))) {
          problem.accept(at + "there is no " + part);
        }
      }
    }
    try {
      tried.accept(call(place, at, words, output));
    } catch (ParameterException wrong) {
      problem.accept(at + wrong.getMessage());
    }
  }

  private Tried call(String place, String at, List<String> words, String output)
      throws IOException {
    String program = words.getFirst();
    List<String> rest = words.subList(1, words.size());
    if (isProbelet(program)) {
      return ended(at, probelet.call(rest), output);
    }
    if (program.equals("kubectl")) {
      if (!rest.isEmpty() && rest.getFirst().equals("probelet")) {
        return ended(at, probelet.plugin(rest.subList(1, rest.size())), output);
      }
      int dashes = rest.indexOf("--");
      cluster
          .kubectl(dashes < 0 ? rest : rest.subList(0, dashes))
          .forEach(wrong -> problem.accept(at + wrong));
      if (dashes >= 0) {
        command(place, rest.subList(dashes + 1, rest.size()), "");
      }
      return Tried.CHECKED;
    }
    if (program.equals("helm")) {
      cluster.helm(rest).forEach(wrong -> problem.accept(at + wrong));
      return Tried.CHECKED;
    }
    if (isOwnScript(program)) {
      Path script = DocBlock.ROOT.resolve(program);
      if (Files.exists(script) && !Files.isExecutable(script)) {
        problem.accept(at + "it is not executable");
      }
      return Tried.CHECKED;
    }
    if (program.equals("cd")) {
      boolean made = rest.getFirst().contains("target");
      if (!made && !Files.isDirectory(DocBlock.ROOT.resolve(rest.getFirst()))) {
        problem.accept(at + "there is no such folder");
      }
      return Tried.CHECKED;
    }
    if (!FOREIGN.contains(program)) {
      problem.accept(at + "what is this program?");
    }
    foreign.accept(program);
    return Tried.FOREIGN;
  }

  private Tried ended(String at, ProbeletCalls.Ran ran, String output) {
    if (ran.how() == Tried.RUN && !output.isBlank()) {
      if (!ran.out().strip().equals(output.strip())) {
        problem.accept(at + "it prints\n" + ran.out());
      }
    } else if (ran.exitCode() != 0) {
      problem.accept(at + "exit code " + ran.exitCode() + ": " + ran.out());
    }
    return ran.how();
  }
}
