package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.name.QualifiedName;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The API server's rules for the resources of a container. */
final class ResourceRules {
  private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");
  private static final String HUGE_PAGES = "hugepages-";
  private static final String QUOTA_PREFIX = "requests.";

  private ResourceRules() {}

  static void check(Field field, Set<String> claims) {
    Fields resources = field.object();
    if (resources == null) {
      return;
    }
    Fields limits = resources.field("limits").objectOrEmpty();
    Fields requests = resources.field("requests").objectOrEmpty();
    if (limits == null || requests == null) {
      return;
    }
    for (Fields amounts : List.of(limits, requests)) {
      amounts.names().forEach(name -> amount(amounts.keyed(name), name));
    }
    for (String name : requests.names()) {
      request(requests.keyed(name), name, limits.keyed(name), resources.field("limits"));
    }
    for (Field item : resources.field("claims").items()) {
      Fields claim = item.objectOrEmpty();
      if (claim != null && !claims.contains(claim.field("name").text(""))) {
        claim
            .field("name")
            .error(Complaint.NOT_FOUND, "Not found: must be one of the pod's resourceClaims");
      }
    }
  }

  private static void amount(Field field, String name) {
    if (!isStandard(name) && !isExtended(name)) {
      field.error(
          Complaint.INVALID_KEY,
          "Invalid key: must be cpu, memory, ephemeral-storage, hugepages-SIZE or a name with a"
              + " domain, such as example.com/gpu");
    } else if (name.contains("/") && value(field).filter(amount -> !isWhole(amount)).isPresent()) {
      field.invalid("must be an integer");
    }
  }

  private static void request(Field request, String name, Field limit, Field limits) {
    boolean exact = !STANDARD.contains(name);
    Optional<BigDecimal> wanted = value(request);
    Optional<BigDecimal> most = value(limit);
    if (most.isEmpty()) {
      if (exact) {
        limits.required("must have the same amount of " + name);
      }
    } else if (wanted.isPresent()) {
      int order = wanted.get().compareTo(most.get());
      if (exact && order != 0) {
        request.invalid("must be equal to the limit");
      } else if (order > 0) {
        request.invalid("must be less than or equal to the limit");
      }
    }
  }

  private static Optional<BigDecimal> value(Field field) {
    return field.isPresent() ? Quantity.value(field.scalar()) : Optional.empty();
  }

  private static boolean isWhole(BigDecimal amount) {
    return amount.stripTrailingZeros().scale() <= 0;
  }

  private static boolean isStandard(String name) {
    return STANDARD.contains(name) || name.startsWith(HUGE_PAGES);
  }

  private static boolean isExtended(String name) {
    return name.contains("/")
        && (name.contains("kubernetes.io/")
            ? QualifiedName.isValid(name)
            : !name.startsWith(QUOTA_PREFIX) && QualifiedName.isValid(QUOTA_PREFIX + name));
  }
}
