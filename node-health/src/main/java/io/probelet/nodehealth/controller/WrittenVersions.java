package io.probelet.nodehealth.controller;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Knows what is newer than what a watch shows, because we wrote it ourselves and got it back (N-2).
 * Only objects whose own write has not come by yet are remembered.
 */
final class WrittenVersions {
  /** An object that is forgotten beyond this is merely seen once more as it was. */
  private static final int MAX_REMEMBERED = 10_000;

  private static final String GONE = "";

  private final Map<String, String> written =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MAX_REMEMBERED;
        }
      };

  /** Takes the version that the API server answered to our write. */
  void wrote(String uid, String version) {
    written.put(uid, version);
  }

  /** Records that our deletion was carried out. */
  void deleted(String uid) {
    written.put(uid, GONE);
  }

  /** Whether what a watch shows is news. */
  boolean isNews(String uid, String version) {
    String ours = written.get(uid);
    if (ours == null) {
      return true;
    }
    if (ours.equals(GONE) || isOlder(version, ours)) {
      return false;
    }
    written.remove(uid);
    return true;
  }

  /** Records that a watch has shown the end of an object. */
  void sawEnd(String uid) {
    written.remove(uid);
  }

  /** Versions are whole numbers that grow; of others we believe what comes last. */
  private static boolean isOlder(String version, String than) {
    return isNumber(version)
        && isNumber(than)
        && (version.length() == than.length()
            ? version.compareTo(than) < 0
            : version.length() < than.length());
  }

  private static boolean isNumber(String version) {
    return !version.isEmpty() && version.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
