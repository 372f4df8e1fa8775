package io.probelet.nodehealth.controller;

import io.probelet.health.RecentMap;
import io.probelet.kube.Metadata;

/**
 * Decides which is newer, a watch's state or the response to our own write (N-2). They arrive
 * through different connections, and either may be late.
 */
public final class Expectations {
  /** Beyond this limit an object is forgotten, and then merely shown once more in an old state. */
  private static final int MAX_REMEMBERED = 10_000;

  private static final String GONE = "";

  /** Objects whose own write no watch has shown yet. */
  private final RecentMap<String, String> written = new RecentMap<>(MAX_REMEMBERED);

  private final RecentMap<String, String> shown = new RecentMap<>(MAX_REMEMBERED);

  /** Creates one that knows no object. */
  public Expectations() {}

  /**
   * Applies the version in the response to our write.
   *
   * @return whether it is new: no watch has shown a newer one or the deletion, and no other
   *     response was newer
   */
  public boolean wrote(String uid, String version) {
    String seen = shown.get(uid);
    if (seen != null && (seen.equals(GONE) || Metadata.isOlder(version, seen))) {
      return false;
    }
    String ours = written.get(uid);
    // responses to several writes may arrive out of order
    if (ours != null && Metadata.isOlder(version, ours)) {
      return false;
    }
    written.put(uid, version);
    return true;
  }

  /** Records that our deletion succeeded. */
  public void deleted(String uid) {
    written.put(uid, GONE);
  }

  /** {@return whether a watch's state is new} */
  public boolean isNews(String uid, String version) {
    String ours = written.get(uid);
    if (ours != null && (ours.equals(GONE) || Metadata.isOlder(version, ours))) {
      return false;
    }
    written.remove(uid);
    shown.put(uid, version);
    return true;
  }

  /** Records that a watch has shown the deletion of an object. */
  public void sawEnd(String uid) {
    written.remove(uid);
    shown.put(uid, GONE);
  }
}
