import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { Page } from '#web/ui/page.tsx'
import { LetterheadLayout } from './papers.web.tsx'

/** Page for a company's PDF layout. For the provider, it sets the defaults for all companies. */
export default function PdfLayoutPage() {
  const isProvider = useActor().clientId === PROVIDER_CLIENT_ID
  return (
    <Page
      title="PDF layout"
      about={
        isProvider
          ? 'The lines you enter here are printed for every company that has no lines of its own. The logo is printed only on your own documents. Completed documents do not change.'
          : 'Your company’s details as printed on documents. Completed documents do not change.'
      }
    >
      <LetterheadLayout />
    </Page>
  )
}
