package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.status.StatusCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The pages on the whole cluster name options that their commands have. */
class FleetOptionsDocTest {
  private static final Pattern OPTION = Pattern.compile("`(--[a-z-]+)[^`]*`");

  @Test
  void pageOfStatusNamesItsOptions() throws IOException {
    String page = page("cluster.md");
    List<String> named = named(page.substring(0, page.indexOf("\n## ")));
    assertThat(named).hasSizeGreaterThan(2).isSubsetOf(options(new StatusCommand()));
  }

  @Test
  void pageOfUiNamesItsOptions() throws IOException {
    List<String> named =
        named(
            page("ui.md")
                .lines()
                .filter(line -> line.startsWith("| `--"))
                .collect(Collectors.joining("\n")));
    assertThat(named).hasSizeGreaterThan(2).isSubsetOf(options(new UiCommand()));
  }

  private static String page(String name) throws IOException {
    return Files.readString(Path.of("..", "docs", "how-to", name));
  }

  private static List<String> named(String text) {
    return OPTION.matcher(text).results().map(each -> each.group(1)).toList();
  }

  private static List<String> options(Object command) {
    return new CommandLine(command)
        .getCommandSpec().options().stream()
            .flatMap(each -> List.of(each.names()).stream())
            .toList();
  }
}
