interface PendingQuestion {
  readonly answer: Promise<boolean>
  readonly settle: (answer: boolean) => void
}

/**
 * Creates a question for the signed-in person, shown in a dialog of the shell. All requests that wait for its answer
 * share one dialog.
 */
export function createPrompt() {
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
    /** Resolves to true once answered, to false if the person declines. */
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
