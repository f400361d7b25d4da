import { useSyncExternalStore } from 'react'
import { deviceStorage } from '../offline/browser-storage.ts'
import { numberToDial } from './phone.ts'

/**
 * Setting for calling numbers from this device: with its own telephone, with SIP, or with a softphone's URL that
 * contains `{number}`.
 */
export interface DialSetting {
  readonly by: 'tel' | 'sip' | 'address'
  readonly address: string
}

const stored = deviceStorage.json<Partial<DialSetting>>('stanchion-dialling')
const PLAIN: DialSetting = { by: 'tel', address: '' }
/** Scheme of a softphone's URL. URLs that could run a script are never allowed (see `NEVER`). */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const NEVER = /^\s*(javascript|data|vbscript|file|blob):/i

/** Returns an error message for a softphone's URL; undefined if the URL is valid. */
export function findSoftphoneUrlProblem(address: string): string | undefined {
  const given = address.trim()
  if (!given) return 'Please enter the softphone’s URL'
  if (NEVER.test(given) || !SCHEME.test(given)) return 'Please start with a scheme, such as https:// or sip:'
  return given.includes('{number}') ? undefined : 'Please include {number} where the number goes'
}

const listeners = new Set<() => void>()
let known: DialSetting | undefined

function read(): DialSetting {
  const { by, address } = stored.read() ?? {}
  if (by === 'sip') return { by, address: '' }
  return by === 'address' && typeof address === 'string' && !findSoftphoneUrlProblem(address) ? { by, address } : PLAIN
}

export const dialSetting = {
  get: (): DialSetting => {
    known ??= read()
    return known
  },
  set: (to: DialSetting): void => {
    known = to
    stored.write(to)
    for (const l of listeners) l()
  },
}

/** Returns the URI that calls a number as configured; empty if the text is not a telephone number. */
export function formatDialUri(number: string, { by, address }: DialSetting): string {
  const to = numberToDial(number)
  if (!to) return ''
  if (by === 'address') return address.replaceAll('{number}', encodeURIComponent(to))
  return `${by}:${to}`
}

const subscribe = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

export const useDialSetting = (): DialSetting => useSyncExternalStore(subscribe, dialSetting.get, () => PLAIN)
