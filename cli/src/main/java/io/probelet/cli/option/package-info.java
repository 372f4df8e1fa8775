/** Options that several commands share: cluster, namespace and listen addresses. */
@NullMarked
package io.probelet.cli.option;

import org.jspecify.annotations.NullMarked;
