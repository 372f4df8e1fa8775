package io.probelet.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code probelet version}: the same as {@code probelet --version}. */
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    header = "Print the version",
    description = "Prints the version of this program.",
    footerHeading = "%nExample:%n",
    footer = "  probelet version",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:the version was printed", " 2:wrong usage"})
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(Probelet.Version.text());
    out.flush();
  }
}
