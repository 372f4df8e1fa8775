package io.probelet.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet completion SHELL}: a script that completes commands and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    header = "Print a completion script for bash or zsh",
    description =
        "Prints a script with which the shell completes commands and options. The script is the"
            + " same for both shells; zsh reads it with bashcompinit.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(probelet completion bash)",
      "  probelet completion zsh > ~/.probelet-completion; echo 'source ~/.probelet-completion'"
          + " >> ~/.zshrc"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:the script was printed", " 2:wrong usage"})
final class CompletionCommand implements Callable<Integer> {
  private static final int OK = 0;

  /** The array of the words that an option or a parameter can have. */
  private static final Pattern CANDIDATES = Pattern.compile("_args=\\([^)]*\\)");

  private static final Pattern WORD = Pattern.compile("\"[A-Z_]+\"");

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell;

  private enum Shell {
    BASH,
    ZSH
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    switch (shell) {
      case BASH, ZSH -> out.println(script());
    }
    out.flush();
    return OK;
  }

  /** Help, docs and errors have the words of enums in lower case. */
  private String script() {
    return CANDIDATES
        .matcher(AutoComplete.bash("probelet", spec.root().commandLine()))
        .replaceAll(candidates -> Matcher.quoteReplacement(lowerCase(candidates.group())));
  }

  private static String lowerCase(String candidates) {
    return WORD.matcher(candidates).replaceAll(word -> word.group().toLowerCase(Locale.ROOT));
  }
}
