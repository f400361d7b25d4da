import { askEarly, type Expected } from '#web/api/early.ts'

const said = document.querySelector<HTMLMetaElement>('meta[name="expected"]')?.content

void askEarly(said ? (JSON.parse(said) as Expected) : undefined, location)
