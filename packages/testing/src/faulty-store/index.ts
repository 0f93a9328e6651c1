export {
  faultyStore,
  type FaultyStoreView,
  type StoreCall,
  type StoreFaultPlan,
  type StoreFaults,
} from "./faulty-store.ts";
