package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A map with a bound. */
class RecentMapTest {
  private final RecentMap<String, Integer> map = new RecentMap<>(2);

  @Test
  @DisplayName("the entry put longest ago is dropped first, even if it was replaced")
  void bounded() {
    assertThat(map.put("a", 1)).isNull();
    map.put("b", 2);
    assertThat(map.put("a", 3)).isEqualTo(1);
    map.put("c", 4);
    assertThat(map.copy())
        .containsExactly(java.util.Map.entry("a", 3), java.util.Map.entry("c", 4));
    assertThat(map.get("b")).isNull();
    assertThat(map.get("a")).isEqualTo(3);
  }

  @Test
  @DisplayName("removing an entry makes room")
  void removed() {
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.removeIf("a"::equals)).isTrue();
    assertThat(map.removeIf("a"::equals)).isFalse();
    map.put("c", 3);
    assertThat(map.copy()).containsOnlyKeys("b", "c");
    map.remove("b");
    map.remove("b");
    assertThat(map.copy()).containsOnlyKeys("c");
  }
}
