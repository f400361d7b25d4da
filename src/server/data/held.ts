import type { Resource } from '#kernel/resource.ts'

/**
 * Holds what comes before the rows over `t` that a query locks, as the end of its conditions: PostgreSQL asks them before it locks a row,
 * and looks at the row anew once it has.
 */
export const heldText = ({ heldBy }: Resource): string =>
  heldBy ? ` AND ${heldBy.call}(${heldBy.of.map((column) => `t.${column}`).join(', ')})` : ''
