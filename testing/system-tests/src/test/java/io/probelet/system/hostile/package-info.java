/**
 * A tenant that may write pods of its own and means harm, against a running agent: what it tries
 * ends at its pods. Each test is one attack, beside honest pods that must not notice.
 */
package io.probelet.system.hostile;
