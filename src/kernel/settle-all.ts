/**
 * Awaits all promises, then throws the first rejection in argument order. No query is then still running when the
 * transaction ends, and the most important error is thrown.
 */
export async function settleAll<T extends readonly unknown[]>(
  ...all: { readonly [K in keyof T]: T[K] | Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(all)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  }) as readonly unknown[] as T
}
