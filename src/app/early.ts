import { type PagePrefetch, prefetchPageData } from '#web/api/early-requests.ts'

const said = document.querySelector<HTMLMetaElement>('meta[name="expected"]')?.content

void prefetchPageData(said ? (JSON.parse(said) as PagePrefetch) : undefined, location)
