import type { Values } from '#kernel/forms/visible.ts'
import { session } from '../../api/session.ts'
import { typedKey } from '../../offline/owner.ts'

/** What is typed into a form of this name, kept in the browser's tab, by person, until it is saved or thrown away. */
export function keptValues(name: string) {
  const key = typedKey(session.me(), name)
  return {
    read: (): Values => {
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Values
      } catch {
        return {}
      }
    },
    write: (values: Values) => sessionStorage.setItem(key, JSON.stringify(values)),
    forget: () => sessionStorage.removeItem(key),
  }
}
