package io.probelet.monitor.evidence;

import io.probelet.health.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Keeps the newest bundles of a node in one folder (ACT-104), limited in number and total bytes.
 * Other files in that folder are not touched.
 *
 * @param folder created with the first bundle
 * @param maxTotalBytes of all bundles together; the newest is always kept
 */
public record EvidenceRing(Path folder, long maxTotalBytes) implements EvidenceStore {
  /** The most bundles kept. */
  public static final int MAX_BUNDLES = 10;

  private static final long MAX_TOTAL_BYTES = 64L << 20;

  private static final String BUNDLES = "evidence-*.tar.gz";

  /** The suffix of an unfinished bundle, as a crash leaves it. */
  private static final String BEGUN = "evidence-*.tar.gz.new";

  /**
   * A ring of at most 64 MiB.
   *
   * @param folder created with the first bundle
   */
  public EvidenceRing(Path folder) {
    this(folder, MAX_TOTAL_BYTES);
  }

  @Override
  public Path keep(String name, byte[] archive) throws IOException {
    Path kept = folder.resolve(name);
    PrivateFiles.createFolders(folder);
    for (Path begun : files(BEGUN)) {
      Files.deleteIfExists(begun);
    }
    // Space is freed first, so that old evidence cannot fill the disk and block new evidence.
    List<Path> older = files(BUNDLES);
    older.remove(kept);
    long total = archive.length;
    for (int newer = 1; newer <= older.size(); newer++) {
      Path each = older.get(older.size() - newer); // names begin with the time
      long size = Files.size(each);
      total += size;
      if (newer >= MAX_BUNDLES || total > maxTotalBytes) {
        Files.deleteIfExists(each);
        total -= size;
      }
    }
    PrivateFiles.replace(kept, archive);
    return kept;
  }

  private List<Path> files(String pattern) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, pattern)) {
      for (Path each : found) {
        if (Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
          files.add(each);
        }
      }
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    files.sort(Comparator.comparing(Path::getFileName));
    return files;
  }
}
