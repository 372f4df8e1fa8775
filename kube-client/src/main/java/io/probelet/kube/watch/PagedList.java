package io.probelet.kube.watch;

import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A list that is read page by page, by one thread. The next page comes while one is read, as a
 * server takes as long to write a page of nodes as we take to read it. So two pages at most are in
 * memory.
 */
final class PagedList implements AutoCloseable {
  private final ApiServer api;
  private final Selection selection;
  private final String accepted;
  private @Nullable FutureTask<Page> coming;
  private String version = "";

  /** A page as it was sent, if it was: pieces of it, to be taken once. */
  private record Page(ApiResult answer, List<InputStream> pieces) {}

  /**
   * Asks for nothing yet.
   *
   * @param accepted the media types to choose from, with commas, the best first
   */
  PagedList(ApiServer api, Selection selection, String accepted) {
    this.api = api;
    this.selection = selection;
    this.accepted = accepted;
  }

  /**
   * Shows all objects of the list to a reader, once.
   *
   * @return {@link Done} if that were all, else why they were not
   * @throws InterruptedException if the thread was interrupted
   */
  ApiResult read(ListPage.Reader reader) throws InterruptedException {
    Page page = fetch("");
    while (page.answer instanceof Done) {
      InputStream whole = new SequenceInputStream(Collections.enumeration(page.pieces));
      ListPage read;
      try {
        read = ListPage.read(whole, reader, this::fetchAhead);
      } catch (IOException cut) {
        return new Unanswered(String.valueOf(cut.getMessage()));
      }
      page.pieces.clear(); // who took them is remembered by the connection until its next answer
      version = read.version();
      if (coming == null) {
        return page.answer;
      }
      page = await(coming);
      coming = null;
    }
    return page.answer;
  }

  /** {@return the moment that the list is of; of no use before it has been read} */
  String version() {
    return version;
  }

  /** Asks for nothing more. */
  @Override
  public void close() {
    if (coming != null) {
      coming.cancel(true);
    }
  }

  private void fetchAhead(String next) {
    close(); // if a page says twice what follows, the last word counts
    FutureTask<Page> task = new FutureTask<>(() -> fetch(next));
    Thread.ofVirtual().name("list-" + selection.kind()).start(task);
    coming = task;
  }

  private static Page await(FutureTask<Page> coming) throws InterruptedException {
    try {
      return coming.get();
    } catch (ExecutionException mistake) {
      throw new IllegalStateException("a page was not asked for", mistake.getCause());
    }
  }

  private Page fetch(String next) throws InterruptedException {
    List<InputStream> pieces = new ArrayList<>();
    ApiResult answer =
        api.list(
            selection.list(next),
            accepted,
            api.timeout(),
            more -> {
              byte[] piece = new byte[more.remaining()];
              more.get(piece);
              pieces.add(new ByteArrayInputStream(piece));
            });
    return new Page(answer, pieces);
  }
}
