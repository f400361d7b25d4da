import { type Me, session } from './session.ts'

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

/** Asks a person who impersonates another in read-only mode for a reason to make changes. */
export const changeReasonQuestion = createQuestion()

/**
 * May things be changed now? While impersonating, not until a reason is given: buttons stay, and the question comes
 * between the click and its effect. Permissions are separate (`kernel/can.ts`).
 */
export const mayChange = (me: Me | undefined): 'yes' | 'not until you say why' =>
  me?.impersonation && !me.impersonation.writes ? 'not until you say why' : 'yes'

/** The same for the signed-in person, asking for the reason where needed. False where they decline. */
export const ensureMayChange = async (): Promise<boolean> =>
  mayChange(session.me()) === 'yes' || changeReasonQuestion.ask()

/** Shown after a reason was declined. */
export const READ_ONLY_MESSAGE = 'Nothing was changed: you have read-only access.'
