import type { Values } from '#kernel/forms/visible.ts'

/** What is typed into a form of this name, kept in the browser's tab until it is saved or thrown away. */
export function keptValues(name: string) {
  const key = `stanchion-typed ${name}`
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
