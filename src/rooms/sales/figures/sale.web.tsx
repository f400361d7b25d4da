import { SALE } from './report.ts'
import { ReportScreen } from './report.web.tsx'

export default () => <ReportScreen report={SALE} />
