/** Exports for tests: drives a component without HTTP. */

export {
  type ComponentTester,
  testComponent,
  type TestOptions,
} from '../server/component/test-component.ts'
export { sourceServices } from '../table/actor-source.ts'
