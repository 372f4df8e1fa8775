package io.probelet.nodehealth.controller;

import io.probelet.health.RecentMap;
import io.probelet.kube.Metadata;

/**
 * Knows which is newer, what a watch shows or what the API server answered to a write of ours
 * (N-2): the two come by different ways, and either may be late.
 */
final class Expectations {
  /** An object that is forgotten beyond this is merely seen once more as it was. */
  private static final int MAX_REMEMBERED = 10_000;

  private static final String GONE = "";

  /** Of objects whose own write has not come by yet. */
  private final RecentMap<String, String> written = new RecentMap<>(MAX_REMEMBERED);

  private final RecentMap<String, String> shown = new RecentMap<>(MAX_REMEMBERED);

  /**
   * Takes the version that the API server answered to our write.
   *
   * @return whether it is news: no watch has shown a newer one, nor the end, nor another answer
   */
  boolean wrote(String uid, String version) {
    String seen = shown.get(uid);
    if (seen != null && (seen.equals(GONE) || Metadata.isOlder(version, seen))) {
      return false;
    }
    String ours = written.get(uid);
    if (ours != null && Metadata.isOlder(version, ours)) { // answers to several writes may cross
      return false;
    }
    written.put(uid, version);
    return true;
  }

  /** Records that our deletion was carried out. */
  void deleted(String uid) {
    written.put(uid, GONE);
  }

  /** Whether what a watch shows is news. */
  boolean isNews(String uid, String version) {
    String ours = written.get(uid);
    if (ours != null && (ours.equals(GONE) || Metadata.isOlder(version, ours))) {
      return false;
    }
    written.remove(uid);
    shown.put(uid, version);
    return true;
  }

  /** Records that a watch has shown the end of an object. */
  void sawEnd(String uid) {
    written.remove(uid);
    shown.put(uid, GONE);
  }
}
