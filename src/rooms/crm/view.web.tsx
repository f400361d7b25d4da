import { PageTitle } from '#web/shell/PageTitle.tsx'

export default function LeadView() {
  return <PageTitle>Lead</PageTitle>
}
