// Excess sectors on GH100: which access patterns must not be called uncoalesced, and which must.
#include <gtest/gtest.h>

#include "core/config_store.hpp"
#include "metrics/derive.hpp"

namespace kprof {
namespace {

const Catalogue& gh100() {
    static const Catalogue catalogue = Catalogue::load(ConfigStore::embedded_only(), "nvidia", "GH100");
    return catalogue;
}

void set(KernelProfile& p, const std::string& name, double value) {
    p.counters[name] = Measurement::of(name, value, "", Origin::counter);
}

KernelProfile global_accesses(double sectors_ld, double sectors_st, double loads, double stores,
                              double copies) {
    KernelProfile p;
    set(p, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors_ld);
    set(p, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", sectors_st);
    set(p, "smsp__inst_executed_op_global_ld.sum", loads);
    set(p, "smsp__inst_executed_op_global_st.sum", stores);
    set(p, "smsp__inst_executed_op_ldgsts.sum", copies);
    return p;
}

TEST(Coalescing, BroadcastsAndFullRowsAreNotExcess) {
    // A naive product: half of the loads are broadcasts (1 sector), half are rows (4 sectors). Its measured
    // ratio of 26.4 bytes per sector is no sign of an excess.
    KernelProfile p = global_accesses(1.073741824e10, 2097152, 4294967296.0, 524288, 0);
    Measurement m = derive(p, gh100()).at("excess_sectors");
    EXPECT_EQ(m.status, Status::not_collected);  // two bytes of each 8, or all: the sectors do not tell
    set(p, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 26.4);
    set(p, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32);
    m = derive(p, gh100()).at("excess_sectors");
    ASSERT_TRUE(m.ok()) << m.reason;
    EXPECT_EQ(m.value, 0);
}

TEST(Coalescing, OneSectorPerRequestIsTheLeast) {
    const Measurement m = derive(global_accesses(1e6, 1e6, 1e6, 1e6, 0), gh100()).at("excess_sectors");
    ASSERT_TRUE(m.ok()) << m.reason;
    EXPECT_EQ(m.value, 0);
    // Four sectors are 32 floats, or 32 halves of which every other one is left out.
    const KernelProfile four = global_accesses(4e6, 4e6, 1e6, 1e6, 0);
    EXPECT_EQ(derive(four, gh100()).at("excess_sectors").status, Status::not_collected);
}

TEST(Coalescing, HalvesWithAStrideOfTwo) {
    // 32 threads use 2 of each 4 bytes: 4 sectors with 16 useful bytes each.
    KernelProfile p = global_accesses(4e6, 4e6, 1e6, 1e6, 0);
    for (const char* op : {"ld", "st"}) {
        set(p, std::string("smsp__sass_average_data_bytes_per_sector_mem_global_op_") + op + ".ratio", 16);
    }
    EXPECT_NEAR(derive(p, gh100()).at("excess_sectors").value, 100 * (1 - 0.5 - 0.875 / 4), 1e-9);
}

TEST(Coalescing, ManySectorsNeedTheWidths) {
    // Stores with a stride of 32 elements: measured on an H200 as 16773873 sectors of 4 useful bytes.
    KernelProfile p = global_accesses(2097152, 16773873, 524288, 524288, 0);
    Measurement m = derive(p, gh100()).at("excess_sectors");
    EXPECT_EQ(m.status, Status::not_collected);
    EXPECT_NE(m.reason.find("smsp__sass"), std::string::npos) << m.reason;
    set(p, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 32);
    set(p, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 4);
    m = derive(p, gh100()).at("excess_sectors");
    ASSERT_TRUE(m.ok()) << m.reason;
    EXPECT_NEAR(m.value, 77.775, 0.01);  // 1 - (2097152 + 16773873 / 8) / 18871025
}

TEST(Coalescing, WideLoadsAreNotExcess) {
    KernelProfile p = global_accesses(16e6, 16e6, 1e6, 1e6, 0);
    for (const char* op : {"ld", "st"}) {
        set(p, std::string("smsp__sass_data_bytes_mem_global_op_") + op + ".sum", 512e6);
        set(p, std::string("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_") + op + ".sum", 16e6);
    }
    set(p, "smsp__sass_data_bytes_mem_global_op_ldgsts.sum", 0);
    set(p, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", 0);
    const MetricSet m = derive(p, gh100());
    EXPECT_EQ(m.at("sectors_per_request").value, 16);
    EXPECT_EQ(m.at("bytes_per_sector").value, 32);
    EXPECT_EQ(m.at("excess_sectors").value, 0);
}

TEST(Coalescing, AsynchronousCopiesAreRequests) {
    // Nearly all loads are cp.async: their sectors stand in the load counter, their instructions do not.
    const KernelProfile p = global_accesses(4e6, 4e3, 1e3, 1e3, 1e6);
    EXPECT_NEAR(derive(p, gh100()).at("sectors_per_request").value, 4.0, 0.01);
}

TEST(Coalescing, ByteLoadsScatteredWithinFourSectors) {
    // 32 threads read one byte each, 4 apart: 4 sectors hold 32 useful bytes.
    KernelProfile p = global_accesses(4e6, 0, 1e6, 0, 0);
    set(p, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 8);
    set(p, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 0);
    const Measurement m = derive(p, gh100()).at("excess_sectors");
    EXPECT_NEAR(m.value, 100 * (1 - 8.0 / 32 - 0.875 / 4), 1e-9);
    EXPECT_NE(m.reason.find("lower bound"), std::string::npos);
}

TEST(Coalescing, KernelsThatLoadByTmaHaveNone) {
    const KernelProfile p = global_accesses(0, 0, 0, 0, 0);
    const MetricSet m = derive(p, gh100());
    EXPECT_EQ(m.at("lsu_global_sectors").value, 0);
    for (const char* id : {"excess_sectors", "sectors_per_request", "bytes_per_sector"}) {
        EXPECT_EQ(m.at(id).status, Status::failed) << id;
        EXPECT_NE(m.at(id).reason.find("TMA"), std::string::npos) << id;
    }
}

}  // namespace
}  // namespace kprof
