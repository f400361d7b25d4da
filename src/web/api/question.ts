interface PendingQuestion {
  readonly answer: Promise<boolean>
  readonly settle: (answer: boolean) => void
}

/**
 * Creates a question to the signed-in person, shown by a dialog of the shell: one at a time, for all requests that wait
 * for its answer.
 */
export function createQuestion() {
  let asked: PendingQuestion | undefined
  const listeners = new Set<() => void>()
  const become = (next: PendingQuestion | undefined) => {
    asked = next
    for (const l of listeners) l()
  }
  return {
    isAsked: (): boolean => asked !== undefined,
    subscribe: (l: () => void) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    /** True once it is answered, false where the person declines. */
    ask: (): Promise<boolean> => {
      if (asked) return asked.answer
      const { promise, resolve } = Promise.withResolvers<boolean>()
      become({ answer: promise, settle: resolve })
      return promise
    },
    settle: (answer: boolean): void => {
      asked?.settle(answer)
      become(undefined)
    },
  }
}
