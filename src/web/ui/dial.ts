import { useSyncExternalStore } from 'react'
import { deviceStorage } from '../offline/browser-storage.ts'
import { numberToDial } from './phone.ts'

/** How this device rings a number: by its own telephone, by SIP, or by the address of a softphone with `{number}` in it. */
export interface Dialling {
  readonly by: 'tel' | 'sip' | 'address'
  readonly address: string
}

const stored = deviceStorage.json<Partial<Dialling>>('stanchion-dialling')
const PLAIN: Dialling = { by: 'tel', address: '' }
/** What a softphone is opened by; a script is never an address. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const NEVER = /^\s*(javascript|data|vbscript|file|blob):/i

/** What is wrong with the address of a softphone, in a sentence; none where it is right. */
export function wrongAddress(address: string): string | undefined {
  const given = address.trim()
  if (!given) return 'Please give the address of the softphone'
  if (NEVER.test(given) || !SCHEME.test(given)) return 'Please begin with what opens it, such as https:// or sip:'
  return given.includes('{number}') ? undefined : 'Please write {number} where the number goes'
}

const listeners = new Set<() => void>()
let known: Dialling | undefined

function read(): Dialling {
  const { by, address } = stored.read() ?? {}
  if (by === 'sip') return { by, address: '' }
  return by === 'address' && typeof address === 'string' && !wrongAddress(address) ? { by, address } : PLAIN
}

export const dialling = {
  get: (): Dialling => {
    known ??= read()
    return known
  },
  set: (to: Dialling): void => {
    known = to
    stored.write(to)
    for (const l of listeners) l()
  },
}

/** The address that rings a number in some way; empty for what is no telephone number. */
export function dialAddress(number: string, { by, address }: Dialling): string {
  const to = numberToDial(number)
  if (!to) return ''
  if (by === 'address') return address.replaceAll('{number}', encodeURIComponent(to))
  return `${by}:${to}`
}

const subscribe = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

export const useDialling = (): Dialling => useSyncExternalStore(subscribe, dialling.get, () => PLAIN)
