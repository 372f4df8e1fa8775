package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A folder without files is the one before, emptied, or another one in its place. */
class FoundFilesTest {
  private static final Path FOLDER = Path.of("/manifests");
  private static final Path FILE = FOLDER.resolve("a.yaml");

  /** Of the folder before: number 7, made at 1. */
  @ParameterizedTest
  @CsvSource({
    // before, number, made, dated, whether its files are kept
    "LISTED,   7, 1, true,  false", // its last file was deleted
    "LISTED,   7, 2, true,  true",
    "LISTED,   8, 1, true,  true",
    "LISTED,   8, 2, false, true",
    "LISTED,   7, 2, false, false", // nothing tells it from one whose last file was deleted
    "VANISHED, 7, 1, true,  false", // moved back, and its last file was deleted
    "VANISHED, 7, 2, true,  true",
    "VANISHED, 7, 2, false, true",
    "VANISHED, 8, 1, true,  true",
    "LINK,     7, 1, true,  false",
    "LINK,     7, 2, true,  true",
    "EMPTY,    7, 2, true,  false",
    "EMPTY,    8, 2, true,  false"
  })
  void anEmptyFolderInThePlaceOfAnother(
      String before, int number, int made, boolean dated, boolean kept) {
    FoundFiles earlier =
        new FoundFiles(
            before.equals("LISTED") ? List.of(FILE) : List.of(),
            switch (before) {
              case "VANISHED" -> Set.of(FOLDER);
              case "LINK" -> Set.of(FILE);
              default -> Set.of();
            },
            List.of(),
            Map.of(FOLDER, identity(7, 1, true)));
    FoundFiles empty =
        new FoundFiles(
            List.of(), Set.of(), List.of(), Map.of(FOLDER, identity(number, made, dated)));
    FoundFiles now = empty.after(earlier);
    assertThat(now.unseen().contains(FOLDER)).isEqualTo(kept);
    assertThat(now.problems()).hasSize(kept ? 1 : 0);
    assertThat(empty.after(now).unseen()).as("at the next look").isEqualTo(now.unseen());
  }

  @Test
  void aFolderKeepsItsIdentityWhileFilesComeAndGo(@TempDir Path parent) throws IOException {
    Path folder = Files.createDirectory(parent.resolve("m"));
    FolderIdentity fresh = FolderIdentity.of(folder).orElseThrow();
    Path file = Files.createFile(folder.resolve("a.yaml"));
    FolderIdentity filled = FolderIdentity.of(folder).orElseThrow();
    Files.delete(file);
    FolderIdentity emptied = FolderIdentity.of(folder).orElseThrow();
    assertThat(filled.isOther(fresh, false)).isFalse();
    assertThat(emptied.isOther(filled, false)).isFalse();
    Files.delete(folder);
    assertThat(FolderIdentity.of(folder)).isEmpty();
  }

  private static FolderIdentity identity(int number, int made, boolean dated) {
    return new FolderIdentity("(dev=1,ino=" + number + ")", FileTime.fromMillis(made), dated);
  }
}
