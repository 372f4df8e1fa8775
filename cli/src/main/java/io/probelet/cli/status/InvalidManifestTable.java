package io.probelet.cli.status;

import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Colours.Meaning;
import io.probelet.fleet.terminal.Table;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.ManifestsView.InvalidFileView;
import java.util.List;

/** The invalid manifest files of an agent, as a table. */
final class InvalidManifestTable {
  private static final int MAX_TEXT = 300;

  private InvalidManifestTable() {}

  /** Header and rows; files that are not shown are counted. */
  static List<String> lines(ManifestsView manifests, Colours colours, int columns) {
    Table table =
        new Table("INVALID MANIFEST", "RUNNING", "ERROR")
            .in(colours)
            .within(columns)
            .cutting("INVALID MANIFEST")
            .atLastWithout("RUNNING")
            .where("RUNNING", running -> running.equals("nothing") ? Meaning.BAD : Meaning.WARNING);
    List<InvalidFileView> shown =
        manifests.invalid().stream().limit(ManifestsView.MAX_FILES).toList();
    for (InvalidFileView file : shown) {
      String place = file.line() == 0 ? "" : ":" + file.line() + ":" + file.column();
      String field = file.field().isEmpty() ? "" : file.field() + ": ";
      String others = file.errors() > 1 ? " (1 of " + file.errors() + " errors)" : "";
      table.add(
          List.of(
              Terminal.line(file.file(), MAX_TEXT) + place,
              switch (file.use()) {
                case "LastValid" -> "last valid version";
                case "OtherPods" -> "other pods";
                default -> "nothing";
              },
              Terminal.line(field + file.message(), MAX_TEXT) + others));
    }
    int more = manifests.total() - shown.size();
    if (more > 0) {
      table.add(List.of("and " + more + " more", "", ""));
    }
    return table.lines();
  }
}
