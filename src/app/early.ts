import { type ExpectedRequests, requestEarly } from '#web/api/early-requests.ts'

const said = document.querySelector<HTMLMetaElement>('meta[name="expected"]')?.content

void requestEarly(said ? (JSON.parse(said) as ExpectedRequests) : undefined, location)
