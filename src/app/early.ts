import { type Expected, requestEarly } from '#web/api/early.ts'

const said = document.querySelector<HTMLMetaElement>('meta[name="expected"]')?.content

void requestEarly(said ? (JSON.parse(said) as Expected) : undefined, location)
