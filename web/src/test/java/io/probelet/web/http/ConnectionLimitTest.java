package io.probelet.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which connections are kept; connections are numbers here, and addresses letters. */
class ConnectionLimitTest {
  private static final int ANSWERED = HttpLimits.OF_STATUS.answered();
  private static final int WAITING = HttpLimits.OF_STATUS.waiting();

  private final List<Integer> closed = new ArrayList<>();
  private final ConnectionLimit<Integer> limit =
      new ConnectionLimit<>(HttpLimits.OF_STATUS, closed::add);

  private void connect(int from, int to, String address) {
    for (int i = from; i < to; i++) {
      limit.connected(i, address);
    }
  }

  private void answer(int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(limit.asks(i, false)).isTrue();
    }
  }

  private List<Integer> closed() {
    List<Integer> since = List.copyOf(closed);
    closed.clear();
    return since;
  }

  @Test
  void oldestThatWaitsGivesWayToNewOne() {
    connect(0, WAITING, "a");
    assertThat(closed()).isEmpty();
    limit.connected(100, "a");
    assertThat(closed()).containsExactly(0);
    limit.connected(101, "a");
    assertThat(closed()).containsExactly(1);
    assertThat(limit.asks(1, true)).as("it was closed").isFalse();
    limit.ended(1);
    limit.connected(102, "a");
    assertThat(closed()).containsExactly(2);
  }

  @Test
  void answeredConnectionThatIsNotEndedGivesWayFirst() {
    connect(0, WAITING, "a");
    assertThat(limit.asks(5, true)).isTrue();
    limit.finished(5);
    limit.connected(100, "a");
    assertThat(closed()).containsExactly(5);
    limit.connected(101, "a");
    assertThat(closed()).containsExactly(0);
  }

  @Test
  void answerInTheMakingKeepsThePlaceOfClientThatHasGone() {
    connect(0, ANSWERED, "a");
    answer(0, ANSWERED);
    for (int i = 0; i < ANSWERED; i++) {
      limit.ended(i);
      limit.ended(i);
    }
    limit.connected(100, "a");
    assertThat(limit.asks(100, false)).isFalse();
    limit.made(0);
    assertThat(limit.asks(100, false)).isTrue();
    limit.made(100);
    limit.connected(101, "a");
    assertThat(limit.asks(101, false)).as("the client of the last one is there").isFalse();
  }

  @Test
  void workThatGoesOnKeepsThePlaceOfAnAnswerThatBrokeOff() {
    connect(0, ANSWERED, "a");
    answer(0, ANSWERED);
    limit.sending(0);
    limit.ended(0);
    limit.connected(100, "a");
    assertThat(limit.asks(100, false)).isFalse();
    assertThat(closed()).as("to end it would not end the work").isEmpty();
    limit.made(0);
    assertThat(limit.asks(100, false)).isTrue();
  }

  @Test
  void workOfARefusedClientKeepsItsPlace() {
    connect(0, ANSWERED, "a");
    answer(0, ANSWERED);
    limit.late(0);
    limit.sending(0);
    limit.finished(0);
    limit.connected(100, "a");
    assertThat(limit.asks(100, false)).isFalse();
    limit.ended(0);
    assertThat(limit.asks(100, false)).isFalse();
    limit.made(0);
    assertThat(limit.asks(100, false)).isTrue();
  }

  @Test
  void workThatEndsAfterTheNextRequestLeavesThatOnesPlace() {
    connect(0, ANSWERED, "a");
    answer(0, ANSWERED);
    limit.sending(0);
    limit.answered(0);
    assertThat(limit.asks(0, false)).isTrue();
    limit.made(0); // of the first request
    limit.ended(0);
    limit.connected(100, "a");
    assertThat(limit.asks(100, false)).isFalse();
    limit.made(0);
    assertThat(limit.asks(100, false)).isTrue();
  }

  @Test
  void placeIsFreeWhicheverOfConnectionAndWorkEndsFirst() {
    connect(0, ANSWERED, "a");
    answer(0, ANSWERED);
    limit.made(0);
    limit.ended(0);
    limit.ended(1);
    limit.made(1);
    connect(100, 102, "a");
    assertThat(limit.asks(100, false)).isTrue();
    assertThat(limit.asks(101, false)).isTrue();
  }

  @Test
  void addressWithMostConnectionsLosesOne() {
    connect(0, 1, "kubelet");
    connect(1, WAITING, "flood");
    limit.connected(100, "kubelet");
    limit.connected(101, "prometheus");
    limit.connected(102, "flood");
    assertThat(closed()).containsExactly(1, 2, 3);
    assertThat(limit.asks(0, true)).isTrue();
  }

  @Test
  void manyAddressesLoseTheirOldest() {
    for (int i = 0; i < WAITING; i++) {
      limit.connected(i, "pod-" + i);
    }
    limit.connected(100, "kubelet");
    assertThat(closed()).containsExactly(0);
  }

  @Test
  void answersAndHealthHavePlacesOfTheirOwn() {
    connect(0, WAITING, "a");
    answer(0, WAITING);
    for (int i = 100; i < 100 + ConnectionLimit.MAX_HEALTH; i++) {
      limit.connected(i, "a");
      assertThat(limit.asks(i, true)).isTrue();
    }
    connect(1000, 1000 + WAITING, "a");
    assertThat(closed()).isEmpty();
    assertThat(limit.asks(1000, true)).as("takes the place of the first that asked").isTrue();
    assertThat(closed()).containsExactly(100);
    assertThat(limit.asks(1001, false)).as("all answers are being made").isFalse();
  }

  @Test
  void slowestReaderGivesWayToNewRequest() {
    connect(0, ANSWERED, "a");
    answer(0, ANSWERED);
    connect(100, 103, "a");
    assertThat(limit.asks(100, false)).as("all answers are being made").isFalse();
    limit.sending(3);
    limit.sending(2);
    assertThat(limit.asks(100, false)).as("may ask again once refused").isTrue();
    assertThat(limit.asks(101, false)).isTrue();
    assertThat(limit.asks(102, false)).isFalse();
    assertThat(closed()).as("the one that asked first, first").containsExactly(2, 3);
  }

  @Test
  void readerOfTheAddressWithMostAnswersGivesWay() {
    connect(0, 1, "prometheus");
    connect(1, ANSWERED, "flood");
    answer(0, ANSWERED);
    for (int i = 0; i < ANSWERED; i++) {
      limit.sending(i);
    }
    limit.connected(100, "prometheus");
    assertThat(limit.asks(100, false)).isTrue();
    assertThat(closed()).containsExactly(1);
  }

  @Test
  void endedConnectionLeavesItsPlaceOnce() {
    connect(0, WAITING, "a");
    answer(0, WAITING);
    limit.sending(0);
    limit.made(0);
    limit.ended(0);
    limit.ended(0);
    connect(100, 102, "a");
    assertThat(limit.asks(100, false)).isTrue();
    assertThat(limit.asks(101, false)).isFalse();
  }

  @Test
  void connectionUsedAgainWaitsBehindOlderOnes() {
    connect(0, WAITING, "a");
    assertThat(limit.asks(0, false)).isTrue();
    limit.answered(0);
    limit.connected(100, "a");
    assertThat(closed()).containsExactly(1);
    assertThat(limit.asks(0, false)).isTrue();
    limit.ended(7);
    limit.answered(7);
    limit.connected(101, "a");
    limit.connected(102, "a");
    assertThat(closed()).as("an ended connection does not come back").isEmpty();
  }

  @Test
  void connectionThatReturnsToFullPoolCostsTheOldestItsPlace() {
    connect(0, WAITING, "a");
    assertThat(limit.asks(0, false)).isTrue();
    limit.connected(100, "a");
    assertThat(closed()).isEmpty();
    limit.answered(0);
    assertThat(closed()).containsExactly(1);
  }
}
