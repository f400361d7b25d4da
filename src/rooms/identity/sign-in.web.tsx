import { PageTitle } from '#web/shell/PageTitle.tsx'

export default function SignIn() {
  return <PageTitle>Sign in</PageTitle>
}
