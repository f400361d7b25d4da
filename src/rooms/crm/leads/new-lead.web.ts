import { useRef, useState } from 'react'
import { contact } from '../contacts/contact.ts'

type Values = Readonly<Record<string, unknown>>

const KEPT = 'stanchion-new-lead'

function kept(): Values {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Values
  } catch {
    return {}
  }
}

/** What has been typed for a new lead, kept in the browser tab until it is saved. */
export function useNewLead(given: Values) {
  const start: Values = {
    employees: contact.fields.employees.default,
    subContractors: contact.fields.subContractors.default,
    ...given,
  }
  const [values, setValues] = useState<Values>(() => ({ ...start, ...kept(), ...(given.companyName ? given : {}) }))
  const sent = useRef<{ body: string; key: string }>(undefined)
  const keep = (next: Values) => {
    setValues(next)
    sessionStorage.setItem(KEPT, JSON.stringify(next))
  }
  return {
    values: values as Readonly<Record<string, string | null>>,
    set: (change: Values) => keep({ ...values, ...change }),
    clear: () => {
      setValues(start)
      sessionStorage.removeItem(KEPT)
    },
    /** The same for the same values: sent twice, the lead is made once. */
    key: (body: Values): string => {
      const text = JSON.stringify(body)
      if (sent.current?.body !== text)
        sent.current = { body: text, key: crypto.getRandomValues(new Uint32Array(4)).join('-') }
      return sent.current.key
    },
  }
}
